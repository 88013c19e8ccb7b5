// Package sampler samples the processes of a server: their CPU time, memory, threads, open
// files and connections, which processes there are, and for how long the processors of the
// machine were idle. What follows from a sample is
// decided in session/witness.
//
// Watched are the children of the server's process and theirs, and whoever is in its process
// group or session. Each of them, once seen, is remembered by its number and its start, also
// when its parent ends or when it leaves the group. A process that leaves both within one
// interval, by way of a parent that ends at once, is known on Linux by its environment, in
// which the server's has a mark ([NewMark]); elsewhere, and where it was begun with another
// environment, it is not seen.
//
// What was weighed instead of a mark: belay could have Linux make it the parent of all orphans
// below it (PR_SET_CHILD_SUBREAPER). But then it has to wait for processes of anybody, beside
// os/exec, which waits for belay's own; those of an editor or a browser that belay began would
// be taken for the server's; and a program that ends when its parent is process 1 would go on.
//
// What [github.com/shirou/gopsutil/v4] does well is left to it: the list of processes, command lines,
// open files, and everything on systems other than Linux. Six parts are not
// the library's:
//
//   - Which processes are the server's. The library's Children reads the status of each
//     process of the machine (4.6 ms of 73 processes), and knows neither groups nor sessions. Here a process
//     of the machine is read once, when it is new; and where Linux says that it has begun
//     none since, the list is not even read. So it needs no
//     /proc/PID/task/*/children, which few kernels have, and which tells of no group.
//   - On Linux, CPU time, memory, threads and the start of a process stand in one file, and
//     so does the time of the children that it waited for, which the library leaves out. For the others
//     it reads four files, and computes the start by the clock on the wall, which may be set.
//   - On Linux, when a process began: in that file it is rounded down to a hundredth of a second, in
//     which a call begins a command. Which number was given last when something was written to the server
//     tells what began later ([Births]).
//   - On Linux, connections. The library reads the tables of the network once more for each
//     process, and the kernel walks through the room for all sockets that the machine could have each
//     time (10 ms where it has 24 GB of memory). Here the kernel is asked once for a sample, by netlink (0.3 ms).
//     The library reads what it does not tell: the connections of a process in another network,
//     and all of them where the question is not allowed.
//   - On Linux, idle time: that of the processors which belay may use, and so the server. The
//     library tells that of all. A quota of CPU time, and what a server may use alone, are not seen.
//   - How often. The pause after a sample grows with its cost, up to ten seconds, so that all
//     samples together take less than a hundredth of one core.
package sampler
