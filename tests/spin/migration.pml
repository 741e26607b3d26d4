/* Model of kernel/task/migration.h: a thread X of a virtual CPU with a part on each of two cores, and a third
 * core that wakes it whenever it waits or sleeps.
 *
 * Each core has a lock, which is held across a switch of threads and given back by whoever runs then. X may
 * use a part up, in an interrupt whose decision and whose switch are two sections; it may block, or sleep,
 * here or in its other part; it may be preempted. Which part it is wanted in is left to the checker.
 *
 * Checked in every reachable state
 *   exclusive   X runs on one core at most
 *   saved       X is gone on with only when its registers are on its stack
 *   guarded     what belongs to X is touched only with the lock of the core that it belongs to
 *   known       a core's policy chooses X only if X is that core's
 *   charged     X runs only as what the core's policy has as running
 *   unlocked    whoever gives a lock back holds it
 *   not lost    when nothing is under way, X waits, or runs, or the policy of its core knows of it
 *
 * Mutations, each of which must be caught
 *   EARLY_HAND_OVER   X is handed over when that is decided, not behind the switch away from it
 *   NO_SECOND_LOOK    who wakes X does not look again whose X is when it has the lock
 *   STALE_UNLOCK      X, gone on with, gives back the lock of the core that it was switched away on
 *   INTERRUPT_FIRST   the other core is told before X is its own
 *   NOT_MINE          a core takes in whom it finds in its part, whoever's X is
 *   TAKE_TWICE        a core takes in X although a wake-up has done so
 *   STAYS_READY       the core that X leaves does not tell its policy
 * REACH_END instead claims that X is never woken on its way.
 */
mtype = { Ready, Waits, Sleeps };          /* X */
mtype = { Blocked, Timed, Queued, Runs };  /* what a policy has of its part */

#define FREE 9
#define THIRD 2

byte lock[2] = FREE;
byte owner;                 /* X.vcpu: the part, and so the core, that X is in */
mtype thread = Ready;
mtype part[2] = Blocked;
bool ready[2], sleeper[2];  /* X is in this list of a part */
bool chosen[2];             /* who runs from the next exit on is X */
bool runs[2];
bool leaving[2];
bool told[2];               /* an interrupt is on its way */
bool saved;                 /* X's registers are on its stack */
byte left_on;               /* the core that X was switched away on last */
byte under_way;             /* sections that have begun and not ended */

#define GUARDED(me) assert(lock[owner] == me)

inline take(which, me) { atomic { lock[which] == FREE -> lock[which] = me } }
inline give(which, me) { assert(lock[which] == me); lock[which] = FREE }

/* X is the other part's from now on. */
inline hand_over(me) {
  GUARDED(me);
#ifdef INTERRUPT_FIRST
  told[1 - owner] = true;
  owner = 1 - owner
#else
  atomic { to = 1 - owner; owner = to };
  told[to] = true
#endif
}

/* Whoever is chosen runs from here on, with the lock. */
inline switch_threads(i) {
  if
  :: runs[i] && !chosen[i] ->
     saved = true;
     atomic { runs[i] = false; left_on = i };
     if
     :: leaving[i] -> leaving[i] = false; hand_over(i)
     :: else
     fi;
     give(i, i)
  :: !runs[i] && chosen[i] ->
     atomic {
       assert(!runs[1 - i]);  /* exclusive */
       assert(saved);         /* saved */
       assert(owner == i);    /* known */
       saved = false;
       runs[i] = true
     };
#ifdef STALE_UNLOCK
     give(left_on, i)
#else
     give(i, i)
#endif
  :: else -> give(i, i)
  fi
}

/* X goes on in the other part, and this core's policy has it no more. */
inline depart(i) {
  atomic {
    GUARDED(i);
#ifndef STAYS_READY
    part[i] = Blocked;
    chosen[i] = false
#else
    part[i] = Queued;
    chosen[i] = false
#endif
  };
#ifdef EARLY_HAND_OVER
  hand_over(i)
#else
  leaving[i] = true
#endif
}

inline decide(i) {
  atomic {
    if
    :: !runs[i] && part[i] == Queued ->
       assert(owner == i);  /* known */
       part[i] = Runs;
       chosen[i] = true
    :: runs[i] && chosen[i] -> assert(part[i] == Runs)  /* charged */
    :: else
    fi
  }
}

inline take_in(i) {
  if
#ifdef NOT_MINE
  :: part[i] == Blocked ->
#elif defined(TAKE_TWICE)
  :: owner == i ->
#else
  :: owner == i && part[i] == Blocked ->
#endif
     atomic {
       if
       :: ready[i] -> if :: part[i] = Queued :: part[i] = Timed fi
       :: !ready[i] && sleeper[i] -> part[i] = Timed
       :: else
       fi
     }
  :: else
  fi
}

proctype core(byte i) {
  byte to;
end:
  do
  :: /* X has used its part up: an interrupt that decides, and then switches */
     atomic { runs[i] && lock[i] == FREE && !leaving[i] -> lock[i] = i; under_way++ };
     atomic { GUARDED(i); ready[i] = false; ready[1 - i] = true };
     depart(i);
     give(i, i);
     take(i, i);
     switch_threads(i);
     under_way--

  :: /* X is preempted */
     atomic { runs[i] && lock[i] == FREE -> lock[i] = i; under_way++ };
     atomic { GUARDED(i); part[i] = Queued; chosen[i] = false };
     switch_threads(i);
     under_way--

  :: /* X waits */
     atomic { runs[i] && lock[i] == FREE -> lock[i] = i; under_way++ };
     atomic { GUARDED(i); thread = Waits; ready[i] = false; part[i] = Blocked; chosen[i] = false };
     switch_threads(i);
     under_way--

  :: /* X sleeps, here or in its other part */
     atomic { runs[i] && lock[i] == FREE -> lock[i] = i; under_way++ };
     atomic { GUARDED(i); thread = Sleeps; ready[i] = false };
     if
     :: atomic { sleeper[i] = true; part[i] = Timed; chosen[i] = false }
     :: sleeper[1 - i] = true; depart(i)
     fi;
     switch_threads(i);
     under_way--

  :: /* the interrupt of another core */
     atomic { told[i] && lock[i] == FREE -> told[i] = false; lock[i] = i; under_way++ };
     take_in(i);
     decide(i);
     give(i, i);
     take(i, i);
     switch_threads(i);
     under_way--

  :: /* the timer: X's instant has come, or whoever was before X has stopped */
     atomic { !runs[i] && part[i] != Blocked && lock[i] == FREE -> lock[i] = i; under_way++ };
     atomic {
       if
       :: part[i] == Timed ->
          part[i] = Queued;
          if
          :: sleeper[i] -> sleeper[i] = false; ready[i] = true; thread = Ready
          :: else
          fi
       :: else
       fi
     };
     decide(i);
     give(i, i);
     take(i, i);
     switch_threads(i);
     under_way--
  od
}

proctype waker() {
  byte to, mine;
end:
  do
  :: atomic { thread != Ready -> under_way++ };
again:
     mine = owner;
     take(mine, THIRD);
#ifndef NO_SECOND_LOOK
     if
     :: owner != mine -> give(mine, THIRD); goto again
     :: else
     fi;
#endif
     GUARDED(THIRD);
     if
     :: thread != Ready ->
#ifdef REACH_END
        assert(!(thread == Sleeps && part[owner] == Blocked));
#endif
        atomic { sleeper[mine] = false; thread = Ready };
        if
        :: part[mine] == Queued -> ready[mine] = true  /* the end of its sleep was noticed before */
        :: part[mine] != Queued ->
           if
           :: atomic { part[mine] = Blocked; ready[1 - mine] = true };
              hand_over(THIRD)
           :: atomic { ready[mine] = true; part[mine] = Queued };
              told[mine] = true
           fi
        fi
     :: else
     fi;
     give(mine, THIRD);
     atomic { under_way--; mine = 0; to = 0 }
  od
}

/* When nothing is under way and no interrupt is on its way, somebody will go on with X. */
proctype nobody_lost() {
end:
  do
  :: atomic {
       under_way == 0 && !told[0] && !told[1] ->
       assert(thread == Waits || runs[0] || runs[1] || part[owner] != Blocked)
     }
  od
}

init {
  atomic {
    saved = true;
    ready[0] = true;
    part[0] = Queued;
    run core(0);
    run core(1);
    run waker();
    run nobody_lost()
  }
}
