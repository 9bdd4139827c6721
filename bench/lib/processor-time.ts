import { readFileSync } from 'node:fs'

/** Clock ticks per second. Linux counts processor time in ticks. */
const TICKS = 100

/** Seconds of processor time that a process has used, with all its threads. NaN on systems other than Linux. */
export const processorTime = (pid: number): number => {
  try {
    // The name of the program is in brackets and may contain blanks. User time and system time follow.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S )/)
    const [user, system] = fields.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) / TICKS
  } catch {
    return Number.NaN
  }
}
