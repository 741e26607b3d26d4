/* Model of kernel/task/ticket_lock.h: PARTIES cores that lock, or try to lock, again and again.
 *
 * The lock is one word; its halves are two bits wide here so that carries happen all the time. Inside
 * the lock each holder increments a plain variable, whose store sits in the core's store buffer until
 * the checker lets it reach memory; unlock is a release, so it waits for that.
 *
 * Checked in every reachable state
 *   exclusive   at most one holder
 *   FIFO        the holder is the one that drew its ticket first
 *   visible     a holder sees the store of the holder before it
 *   trying      try-lock that answers no at first sight saw the lock held
 * and, with weak fairness, `served`: whoever has drawn a ticket gets the lock.
 *
 * Mutations, each of which must be caught
 *   CARRY             unlock adds 1 to the whole word, so the lower half carries into the upper
 *   SPLIT_DRAW        drawing a ticket is a load and a store, not one step
 *   RELAXED_UNLOCK    unlock does not wait for the holder's stores
 *   NEWEST_FIRST      unlock serves whoever came last
 *   TRY_WITHOUT_CAS   try-lock draws its ticket without looking whether the word has changed
 *   LOST_TURN         unlock skips a ticket (caught by `served`)
 * REACH_END instead claims that nobody ever waits behind two others.
 */
#ifndef PARTIES
#define PARTIES 3
#endif
#define HALF 4              /* values of one half of the word */
#define WORD (HALF * HALF)  /* next * HALF + serving */
#define NEXT(w) ((w) / HALF)
#define SERVING(w) ((w) % HALF)

byte word;
byte data;               /* counts modulo 4 */
byte expected;           /* what `data` must be; for the checks only */
byte holders;
chan line = [PARTIES] of { byte };     /* who drew a ticket, in order; for the checks only */
bool pending[PARTIES];                 /* store buffer of each core: at most one store of `data` */
byte pending_value[PARTIES];
bool waiting0, holding0;

active proctype store_buffers() {
  byte i;
end:
  do
  :: atomic { pending[0] -> data = pending_value[0]; pending[0] = false; pending_value[0] = 0 }
  :: atomic { pending[1] -> data = pending_value[1]; pending[1] = false; pending_value[1] = 0 }
  :: atomic { pending[2] -> data = pending_value[2]; pending[2] = false; pending_value[2] = 0 }
  od
}

inline draw(seen) {
  line!me;
  word = (seen + HALF) % WORD
}

proctype core(byte me) {
  byte seen, ticket;

end:
  do
  :: /* lock */
#ifdef SPLIT_DRAW
     seen = word;
     atomic {
       draw(seen);
#else
     atomic {
       seen = word;
       draw(seen);
#endif
       ticket = NEXT(seen);
       seen = 0;
       if :: me == 0 -> waiting0 = true :: else fi
#ifdef REACH_END
       assert(len(line) < PARTIES)
#endif
     }
     SERVING(word) == ticket; /* polling: blocks until true */
     goto enter

  :: /* try to lock */
     atomic {
       seen = word;
       if
       :: NEXT(seen) != SERVING(seen) ->
          assert(len(line) > 0); /* trying */
          seen = 0;
          goto again
       :: else -> assert(len(line) == 0)
       fi
     };
     atomic {
       if
#ifndef TRY_WITHOUT_CAS
       :: word != seen -> seen = 0; goto again
#endif
       :: else -> draw(seen); seen = 0
       fi
     }
     goto enter;

enter:
     atomic {
       holders++;
       assert(holders == 1);       /* exclusive */
       assert(line?[eval(me)]);    /* FIFO: I am the first in line */
       if :: me == 0 -> waiting0 = false; holding0 = true :: else fi;
       ticket = 0
     }
     atomic {
       assert(data == expected);   /* visible */
       expected = (expected + 1) % 4;
       pending_value[me] = expected;
       pending[me] = true
     }
     /* unlock */
#ifndef RELAXED_UNLOCK
     !pending[me];
#endif
     atomic {
       holders--;
       line?_;
       if :: me == 0 -> holding0 = false :: else fi;
#if defined(CARRY)
       word = (word + 1) % WORD
#elif defined(NEWEST_FIRST)
       word = NEXT(word) * HALF +
              (NEXT(word) == (SERVING(word) + 1) % HALF -> NEXT(word) : (NEXT(word) + HALF - 1) % HALF)
#elif defined(LOST_TURN)
       word = NEXT(word) * HALF + (SERVING(word) + (len(line) == 2 -> 2 : 1)) % HALF
#else
       /* adds 1, or 1 - HALF when the lower half is full: no carry into the upper half */
       word = (SERVING(word) == HALF - 1 -> word + 1 - HALF : word + 1)
#endif
     };
again:
     skip
  od
}

init {
  atomic { run core(0); run core(1); run core(2) }
}

ltl served { [] (waiting0 -> <> holding0) }
