import { fenceAfter } from './fence.ts'

/** Signs or blanks of one kind on end, in characters; and a line outside of code. A reader of markdown takes time by the square of both. */
const LONGEST_RUN = 1000
const LONGEST_LINE = 20_000

const hasLongRun = (text: string): boolean => {
  for (const [run] of text.matchAll(/([^\p{L}\p{N}\n])\1{20,}/gu)) if (run.length > LONGEST_RUN) return true
  return false
}

/** A file that the text carries is read in one go. */
const withoutFiles = (line: string): string => line.replace(/\bdata:[^\s"')>]*/g, '')

const hasLongLine = (text: string): boolean => {
  let open: string | null = null
  for (const line of text.split('\n')) {
    open = fenceAfter(line, open)
    // HTML is taken over as it is.
    if (open !== null || line.length <= LONGEST_LINE || line.trimStart().startsWith('<')) continue
    if (withoutFiles(line).length > LONGEST_LINE) return true
  }
  return false
}

/** Text that nobody writes as markdown, and that would take long to read as such. Takes time in line with the text. */
export const isEndless = (text: string): boolean => hasLongRun(text) || hasLongLine(text)
