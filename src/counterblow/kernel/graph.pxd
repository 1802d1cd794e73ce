cimport cython

cdef unsigned long long MASK, HALF, GOLDEN, FIRST_FACTOR, SECOND_FACTOR

@cython.locals(state="unsigned long long", z="unsigned long long")
cpdef tuple draw(unsigned long long generator, unsigned long long n)

@cython.locals(found=list, place=cython.int, member=cython.int, word="unsigned long long")
cpdef list ones(mask)

@cython.final
cdef class Steps:
    cdef public const unsigned char[::1] allowed

@cython.final
cdef class Costs:
    cdef public short[::1] cost
    cdef public short[::1] near_zone
    cdef public const unsigned char[::1] road
    cdef public int whole
    cdef public int enter
    cdef public int leave
    cdef public int stop
    cdef public int between
    cdef public int friends

@cython.final
cdef class Reach:
    cdef public int start
    cdef public list nodes
    cdef public object dist
    cdef public object prev

    @cython.locals(cost=cython.int)
    cpdef int cost_to(self, int node)

    @cython.locals(path=list)
    cpdef list path_to(self, int node)

@cython.final
cdef class Graph:
    cdef public int size
    cdef public int[::1] first
    cdef public short[::1] target
    cdef public object distances
    cdef public object previous
    cdef public short[::1] dist
    cdef public short[::1] prev
    cdef public short[::1] queued
    cdef public short[::1] following
    cdef public short[::1] head
    cdef public short[::1] touched
    cdef public int count
    cdef public object blank
    cdef public list numbers

    @cython.locals(step=cython.int, allowed="const unsigned char[::1]", target="short[::1]",
                   counts="unsigned char *")
    cpdef zone(self, Steps steps, zone, int node, int delta)

    @cython.locals(
        cost="short[::1]", near_zone="short[::1]", road="const unsigned char[::1]", whole=cython.int,
        first="int[::1]", target="short[::1]", dist="short[::1]", prev="short[::1]", queued="short[::1]",
        following="short[::1]", head="short[::1]", touched="short[::1]", i=cython.int, count=cython.int,
        entries=cython.int, entry=cython.int, d=cython.int, here=cython.int, there=cython.int, step=cython.int,
        price=cython.int, base=cython.int, total=cython.int, zoned=cython.bint, zoned_there=cython.bint,
        foes="const unsigned char *", zoc="const unsigned char *", friends="const unsigned char *",
        stops="const unsigned char *", halting=cython.bint, found=list, numbers=list)
    cpdef list _scan(self, Costs costs, enemy, zone, friend, int start, int budget, int spent=*, halt=*)

    @cython.locals(nodes=list)
    cpdef Reach reach(self, Costs costs, enemy, zone, friend, int start, int budget, int spent=*, halt=*)

    cpdef list reach_many(self, Costs costs, enemy, zone, friend, starts, budgets)

    @cython.locals(n=cython.int, node=cython.int, result=bytearray, out="unsigned char *",
                   foes="const unsigned char *", zoc="const unsigned char *", friends="const unsigned char *")
    cpdef bytearray shut(self, enemy, zone, friend)

    @cython.locals(first="int[::1]", target="short[::1]", allowed="const unsigned char[::1]",
                   out="short[::1]", closed="const unsigned char *", line="short[::1]", dist="short[::1]",
                   start=cython.int, end=cython.int,
                   here=cython.int, there=cython.int, step=cython.int, d=cython.int, i=cython.int,
                   source=cython.int)
    cpdef flood(self, Steps steps, shut, sources, int limit)

    @cython.locals(first="int[::1]", target="short[::1]", allowed="const unsigned char[::1]", result=bytearray,
                   out="unsigned char *", closed="const unsigned char *", line="short[::1]", dist="short[::1]",
                   end=cython.int, here=cython.int, there=cython.int, step=cython.int, i=cython.int,
                   source=cython.int)
    cpdef bytearray traceable(self, Steps steps, shut, sources)

    @cython.locals(values="const unsigned char *", found=list)
    cpdef list at_most(self, list nodes, counts, int most)

    @cython.locals(values="const unsigned char *", contents="const unsigned char *", found=list)
    cpdef list alike(self, list nodes, counts, kinds, int kind)

    @cython.locals(values="const unsigned char *", node=cython.int, found=list, numbers=list)
    cpdef list marked(self, marks)

    @cython.locals(d="short[::1]", node=cython.int, found=list, numbers=list)
    cpdef list reached(self, distances)
