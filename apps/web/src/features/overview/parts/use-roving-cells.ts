import { type FocusEvent, type KeyboardEvent, useState } from 'react'

const moves: { readonly [key: string]: readonly [number, number] } = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/**
 * Arrow keys move between the cells of a matrix, and Tab leaves it. Cells without a link are skipped. The cells are links with
 * `data-cell="ROW COLUMN"`.
 * @param first the cell that Tab reaches first
 */
export const useRovingCells = (rows: number, columns: number, first: string) => {
  const [current, setCurrent] = useState(first)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const [down = 0, right = 0] = moves[event.key] ?? []
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')
    if (!cell || (down === 0 && right === 0)) return
    event.preventDefault()
    const isMirrored = getComputedStyle(cell).direction === 'rtl'
    let [row = 0, column = 0] = (cell.dataset['cell'] ?? '').split(' ').map(Number)
    for (;;) {
      row += down
      column += isMirrored ? -right : right
      if (row < 0 || column < 0 || row >= rows || column >= columns) return
      const next = event.currentTarget.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)
      if (next) {
        next.focus()
        return
      }
    }
  }
  const onFocus = (event: FocusEvent<HTMLElement>): void => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')
    if (cell) setCurrent(cell.dataset['cell'] ?? first)
  }
  return { current, onKeyDown, onFocus }
}
