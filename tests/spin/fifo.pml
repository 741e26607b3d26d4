/* Model of how one side of a FIFO between loops and Linux sleeps until the other moves
 * (hybrid/protocol/fifo.h), with a store buffer on each side. The order of bytes and indices in a ring
 * is that of ring_buffer.pml.
 *
 * A loop puts ITEMS records and never waits: what finds the ring full is refused, and put again. It
 * tells a reader who wants it. The reader in Linux sleeps when there is nothing:
 *
 *     wanted := 1; fence; look once more; sleep until told; wanted := 0
 *
 * Checked
 *   woken       the reader comes to the last record: it is in no state asleep with nobody to wake it
 *               (an invalid end state)
 *
 * Mutations, each of which must be caught
 *   NO_WRITER_FENCE  the writer looks at `wanted` before its index has reached memory
 *   NO_READER_FENCE  the reader looks at the index before its `wanted` has reached memory
 *   NO_SECOND_LOOK   the reader sleeps without having looked again
 *   LATE_WANT        the reader says that it wants after it has looked again
 * REACH_END instead claims that the last record is never read, to show that the model gets that far.
 */
#ifndef N
#define N 2
#endif
#ifndef ITEMS
#define ITEMS 5
#endif

/* Memory. */
byte head;
byte tail;
bit wanted;
bit interrupt; /* once raised it stays until it is taken */

chan writer_stores = [3] of { byte };
mtype = { HEAD, WANTED }
chan reader_stores = [3] of { mtype, byte };

active proctype writer_buffer() {
  byte value;
end:
  do
  :: atomic { writer_stores?value; tail = value; value = 0 }
  od
}

active proctype reader_buffer() {
  mtype where;
  byte value;
end:
  do
  :: atomic {
       reader_stores?where, value;
       if
       :: where == HEAD -> head = value
       :: where == WANTED -> wanted = value
       fi;
       where = 0; value = 0
     }
  od
}

active proctype writer() {
  byte put;
  bit tell;
  do
  :: put < ITEMS ->
     /* Full: refused, and put again once there is room (a loop comes by itself). */
     put - head < N;
     put++;
     writer_stores!put;
#ifndef NO_WRITER_FENCE
     empty(writer_stores);
#endif
     tell = wanted;
     if
     :: tell -> interrupt = 1
     :: else
     fi;
     tell = 0
  :: else -> break
  od
}

active proctype reader() {
  byte got;
  do
  :: got < ITEMS ->
     if
     :: got != tail -> got++; reader_stores!HEAD, got
     :: else ->
#ifndef LATE_WANT
        reader_stores!WANTED, 1;
#ifndef NO_READER_FENCE
        empty(reader_stores);
#endif
#endif
#ifdef NO_SECOND_LOOK
        interrupt; interrupt = 0;
#else
        if
        :: got != tail
        :: else ->
#ifdef LATE_WANT
           reader_stores!WANTED, 1;
           empty(reader_stores);
#endif
           interrupt; /* asleep */
           interrupt = 0
        fi;
#endif
        reader_stores!WANTED, 0
     fi
  :: else -> break
  od;
#ifdef REACH_END
  assert(false)
#endif
}
