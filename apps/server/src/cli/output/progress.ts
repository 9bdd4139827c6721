import { printable } from './printable.ts'

const WIDTH = 24
const REDRAW_MS = 100

/** Formats a progress bar and a percentage. If the total is unknown, returns only the completed amount. */
const format = (done: number, total: number | null, amount: (n: number) => string): string => {
  if (total === null) return amount(done)
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const full = Math.round(part * WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${Math.floor(part * 100)}%, ${amount(done)} of ${amount(total)}`
}

export type Progress = {
  /** @param total null if unknown */
  readonly report: (what: string, done: number, total: number | null) => void
  /** Ends the progress line so that other lines can be printed. */
  readonly end: () => void
}

/**
 * Shows progress: one updating line on a terminal. Without a terminal, shows only what `begins` prints.
 * @param amount formats a number
 * @param begins called when a new phase begins, if there is no terminal
 */
export const createProgress = (
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
    report: (what, done, total) => {
      const isNew = what !== last
      if (!stream.isTTY) {
        if (isNew) begins?.(printable(`${what}: ${format(done, total, amount)}`))
        last = what
        return
      }
      const isWhole = total !== null && done >= total
      if (!isNew && !isWhole && performance.now() - drawnAt < REDRAW_MS) return
      if (isNew) end()
      last = what
      drawnAt = performance.now()
      const line = printable(`${what} ${format(done, total, amount)}`)
      stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
      isOpen = true
    },
  }
}
