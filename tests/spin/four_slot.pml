/* Model of kernel/task/four_slot.h with a store buffer on each side.
 *
 * A store goes into its core's buffer and reaches memory later, oldest first, at a moment the checker
 * chooses. With one storing side per variable this gives every outcome that release stores and
 * acquire loads allow between two parties. `order::sequential` adds that a side's load waits until
 * its own earlier stores have reached memory (`stlr` before `ldar` on AArch64): the two macros
 * STORE_BEFORE_LOAD_… stand for that.
 *
 * Checked in every reachable state
 *   coherent   the two words of an item read belong to one write
 *   fresh      the item is not older than the last write that had completed when the read began
 *   ordered    the item is not older than the one read before
 * A write is complete when its last store has reached memory. The reader reads without end.
 *
 * Mutations, each of which must be caught
 *   NO_READER_ORDER   the reader's load of `slot` does not wait for its store of `reading`
 *   NO_WRITER_ORDER   the writer's load of `reading` does not wait for its stores of the write before
 *   LATE_DATA         the item is stored after both index stores
 *   EARLY_INDEX       the reader loads `slot` before it stores `reading`
 *   NO_HANDSHAKE      the writer takes the other pair than its own last one, whatever `reading` says
 * REACH_END instead claims that the last item is never read, to show that the model gets that far.
 */
#ifndef WRITES
#define WRITES 10
#endif

mtype = { WORD0, WORD1, SLOT, LATEST }

/* Memory. Items: two words in cell pair * 2 + index, each holding the number of the write. */
bit latest;
bit reading;
bit slot[2];
byte word0[4];
byte word1[4];
byte completed; /* number of the newest completed write; for the checks only */

chan writer_stores = [8] of { mtype, byte, byte };
chan reader_stores = [2] of { bit };

#ifdef NO_WRITER_ORDER
#define STORE_BEFORE_LOAD_WRITER skip
#else
#define STORE_BEFORE_LOAD_WRITER empty(writer_stores)
#endif
#ifdef NO_READER_ORDER
#define STORE_BEFORE_LOAD_READER skip
#else
#define STORE_BEFORE_LOAD_READER empty(reader_stores)
#endif

active proctype writer_buffer() {
  mtype where;
  byte which, value;
end:
  do
  :: atomic {
       writer_stores?where, which, value;
       if
       :: where == WORD0 -> word0[which] = value
       :: where == WORD1 -> word1[which] = value
       :: where == SLOT -> slot[which] = value
       :: where == LATEST -> latest = which; completed = value
       fi;
       where = 0; which = 0; value = 0
     }
  od
}

active proctype reader_buffer() {
  bit value;
end:
  do
  :: atomic { reader_stores?value; reading = value; value = 0 }
  od
}

active proctype writer() {
  byte number = 1;
  bit pair, index;
  bit own_slot[2]; /* the writer's own stores, which it always sees */

  do
  :: number <= WRITES ->
     STORE_BEFORE_LOAD_WRITER;
     atomic {
#ifdef NO_HANDSHAKE
       pair = 1 - pair;
#else
       pair = 1 - reading;
#endif
       index = 1 - own_slot[pair]
     }
#ifndef LATE_DATA
     writer_stores!WORD0, pair * 2 + index, number;
     writer_stores!WORD1, pair * 2 + index, number;
#endif
     own_slot[pair] = index;
     writer_stores!SLOT, pair, index;
     writer_stores!LATEST, pair, number;
#ifdef LATE_DATA
     writer_stores!WORD0, pair * 2 + index, number;
     writer_stores!WORD1, pair * 2 + index, number;
#endif
     number++
  :: else -> break
  od
}

active proctype reader() {
  bit pair, index;
  byte first, second, at_least, previous;

end:
  do
  :: atomic { at_least = completed; pair = latest }
#ifdef EARLY_INDEX
     index = slot[pair];
#endif
     reader_stores!pair;
     STORE_BEFORE_LOAD_READER;
#ifndef EARLY_INDEX
     index = slot[pair];
#endif
     first = word0[pair * 2 + index];
     second = word1[pair * 2 + index];
     d_step {
#ifdef REACH_END
       assert(first != WRITES);
#endif
       assert(first == second);     /* coherent */
       assert(first >= at_least);   /* fresh */
       assert(first >= previous);   /* ordered */
       previous = first;
       first = 0; second = 0; at_least = 0; index = 0; pair = 0
     }
  od
}
