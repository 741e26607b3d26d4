/* Model of kernel/task/ring_buffer.h with a store buffer on each side.
 *
 * A store reaches memory later than it is made, oldest first, at a moment the checker chooses: what
 * release stores and acquire loads allow between two parties. No load waits for a store here, which
 * shows that the ring buffer needs no store-load order.
 *
 * Checked in every reachable state
 *   whole, in order, once   each item read is the next one written, both of its words
 *   honest                  a refused write found LIMIT items that the reader had not given back,
 *                           an empty answer found every item whose index was published read
 *
 * Mutations, each of which must be caught
 *   TAIL_FIRST     the writer publishes the index before it stores the item
 *   RELAXED_TAIL   the index is stored without release: the item may reach memory after it
 *   HEAD_FIRST     the reader gives the entry back before it has copied the item
 *   ONE_TOO_MANY   the writer accepts an item when the buffer is full
 *   WRAP_AT_N      indices count 0 … N-1, so that full looks like empty
 * REACH_END instead claims that the last item is never read, to show that the model gets that far.
 */
#ifndef N
#define N 3
#endif
#ifndef LIMIT
#define LIMIT N
#endif
#ifndef ITEMS
#define ITEMS (3 * N + 1)
#endif
#ifdef WRAP_AT_N
#define WRAP N
#else
#define WRAP (2 * N)
#endif
#define POSITION(i) ((i) % N)

mtype = { WORD0, WORD1, TAIL }

/* Memory. */
byte head;
byte tail;
byte word0[N];
byte word1[N];
byte published;  /* items whose index has reached memory; for the checks only */
byte given_back; /* entries whose return has reached memory; for the checks only */

chan writer_stores = [6] of { mtype, byte, byte };
chan reader_stores = [2] of { byte };
#ifdef RELAXED_TAIL
chan tail_stores = [2] of { mtype, byte, byte };
#else
#define tail_stores writer_stores
#endif

active proctype writer_buffer() {
  mtype where;
  byte which, value;
end:
  do
  :: atomic {
       if
       :: writer_stores?where, which, value
#ifdef RELAXED_TAIL
       :: tail_stores?where, which, value
#endif
       fi;
       if
       :: where == WORD0 -> word0[which] = value
       :: where == WORD1 -> word1[which] = value
       :: where == TAIL -> tail = value; published++
       fi;
       where = 0; which = 0; value = 0
     }
  od
}

active proctype reader_buffer() {
  byte value;
end:
  do
  :: atomic { reader_stores?value; head = value; given_back++; value = 0 }
  od
}

inline store_item(at, number) {
  writer_stores!WORD0, POSITION(at), number;
  writer_stores!WORD1, POSITION(at), number
}

active proctype writer() {
  byte number = 1;
  byte own_tail, used, next;

  do
  :: number <= ITEMS ->
     atomic {
       used = (own_tail + WRAP - head) % WRAP;
       if
#ifdef ONE_TOO_MANY
       :: used > LIMIT ->
#else
       :: used >= LIMIT ->
#endif
          assert(number - 1 - given_back == LIMIT); /* honest: full */
          used = 0;
          goto refused
       :: else -> used = 0
       fi
     }
     next = (own_tail + 1) % WRAP;
#ifdef TAIL_FIRST
     tail_stores!TAIL, 0, next;
     store_item(own_tail, number);
#else
     store_item(own_tail, number);
     tail_stores!TAIL, 0, next;
#endif
     own_tail = next;
     number++;
refused:
     skip
  :: else -> break
  od
}

active proctype reader() {
  byte expected = 1;
  byte own_head, next, first, second;

end:
  do
  :: expected <= ITEMS ->
     atomic {
       if
       :: own_head == tail ->
          assert(expected == published + 1); /* honest: empty */
          goto nothing
       :: else
       fi
     }
     next = (own_head + 1) % WRAP;
#ifdef HEAD_FIRST
     reader_stores!next;
#endif
     first = word0[POSITION(own_head)];
     second = word1[POSITION(own_head)];
     d_step {
       assert(first == expected && second == expected); /* whole, in order, once */
       first = 0; second = 0
     }
#ifndef HEAD_FIRST
     reader_stores!next;
#endif
     own_head = next;
     expected++;
nothing:
     skip
  :: else -> break
  od;
#ifdef REACH_END
  assert(false)
#endif
}
