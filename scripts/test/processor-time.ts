import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in ticks of 10 ms on all common machines. */
const TICKS_PER_SECOND = 100

type Process = { readonly parent: number; readonly ticks: number }

const processOf = (id: number): Process | undefined => {
  let stat: string
  try {
    stat = readFileSync(`/proc/${id}/stat`, 'utf8')
  } catch {
    // The process has ended since the folder was listed.
    return undefined
  }
  // The name in parentheses may contain spaces. The parent is the second field after it, and the times start at the twelfth.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) }
}

/**
 * The processor time in seconds of a process, its children and their children, including those that have ended. Undefined on
 * systems without `/proc`.
 */
export const processorTime = (root: number): number | undefined => {
  if (!existsSync('/proc/self/stat')) return undefined
  const names = readdirSync('/proc')
  const all = new Map<number, Process>()
  for (const id of names.filter((name) => /^\d+$/.test(name)).map(Number)) {
    const found = processOf(id)
    if (found) all.set(id, found)
  }
  const belongs = (id: number): boolean => id === root || (all.has(id) && belongs(all.get(id)?.parent ?? 0))
  const ticks = [...all].filter(([id]) => belongs(id)).reduce((sum, [, process]) => sum + process.ticks, 0)
  return ticks / TICKS_PER_SECOND
}
