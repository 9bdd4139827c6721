import { fenceAfter } from './fence.ts'

/**
 * Longest run of one symbol or space, and longest line outside code, in characters. A Markdown parser takes quadratic time in
 * both.
 */
const LONGEST_RUN = 1000
const LONGEST_LINE = 20_000

const hasLongRun = (text: string): boolean => {
  for (const [run] of text.matchAll(/([^\p{L}\p{N}\n])\1{20,}/gu)) if (run.length > LONGEST_RUN) return true
  return false
}

/** Removes embedded files, which the parser handles in one step. */
const withoutDataUrls = (line: string): string => line.replace(/\bdata:[^\s"')>]*/g, '')

const hasLongLine = (text: string): boolean => {
  let open: string | null = null
  for (const line of text.split('\n')) {
    open = fenceAfter(line, open)
    // HTML is passed through unparsed.
    if (open !== null || line.length <= LONGEST_LINE || line.trimStart().startsWith('<')) continue
    if (withoutDataUrls(line).length > LONGEST_LINE) return true
  }
  return false
}

/** Whether a text is clearly not Markdown and would take long to parse. Runs in linear time. */
export const isTooExpensive = (text: string): boolean => hasLongRun(text) || hasLongLine(text)
