import { readFileSync } from 'node:fs'

/** Clock ticks per second. Linux counts processor time in ticks. */
const TICKS = 100

/** Seconds of processor time that a process has used, with all its threads. NaN on systems other than Linux. */
export const processorTime = (pid: number): number => {
  try {
    // The program's name is in parentheses and may contain spaces. The user time and the system time are among the fields after
    // the name.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S )/)
    const [user, system] = fields.split(' ').slice(11, 13)
    return (Number(user) + Number(system)) / TICKS
  } catch {
    return Number.NaN
  }
}
