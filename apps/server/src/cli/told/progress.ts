import { printable } from './printable.ts'

const WIDTH = 24
const EVERY_MS = 100

/** A bar and the part that is done; without a total what there is so far. */
const drawn = (done: number, total: number | null, amount: (n: number) => string): string => {
  if (total === null) return amount(done)
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const full = Math.round(part * WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${Math.floor(part * 100)} %, ${amount(done)} of ${amount(total)}`
}

export type Progress = {
  /** @param total null where nobody knows it */
  readonly tell: (what: string, done: number, total: number | null) => void
  /** Ends the line, so that others can be printed. */
  readonly end: () => void
}

/**
 * How far something is: on a terminal one line that changes, elsewhere nothing but what `begins` is told.
 * @param amount a number for people. @param begins where there is no terminal: called when something new begins
 */
export const progressOn = (
  stream: NodeJS.WriteStream,
  { amount, begins }: { readonly amount: (n: number) => string; readonly begins?: (line: string) => void },
): Progress => {
  let isOpen = false
  let last = ''
  let drawnAt = Number.NEGATIVE_INFINITY
  const end = () => {
    if (isOpen) stream.write('\n')
    isOpen = false
  }
  return {
    end,
    tell: (what, done, total) => {
      const isNew = what !== last
      if (!stream.isTTY) {
        if (isNew) begins?.(printable(`${what}: ${drawn(done, total, amount)}`))
        last = what
        return
      }
      const isWhole = total !== null && done >= total
      if (!isNew && !isWhole && performance.now() - drawnAt < EVERY_MS) return
      if (isNew) end()
      last = what
      drawnAt = performance.now()
      const line = printable(`${what} ${drawn(done, total, amount)}`)
      stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
      isOpen = true
    },
  }
}
