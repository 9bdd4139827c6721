import { useEffect, useRef } from 'react'

type Options = {
  /** The position of the current record in the list, or null if there is none. */
  readonly position: number | null
  /** The list that `position` refers to. If this is a different object than before, the list was replaced. */
  readonly list: object
  /** The position in the URL. */
  readonly addressPosition: number
  /** @param replace whether to replace the current entry in the browser's history instead of adding an entry */
  readonly moveAddress: (position: number, replace: boolean) => void
  /** Shows the record at a position. @returns the position of the record that is then shown, or null if the list was replaced */
  readonly moveRecord: (position: number) => Promise<number | null>
}

type Moves = {
  /** The list whose record was last shown. */
  readonly list: object | null
  /** Positions that were sent to the URL but aren't in it yet, because navigation takes a while. */
  readonly pending: readonly number[]
  /** Whether the record is currently being changed to match the URL. */
  readonly isFollowing: boolean
}

/**
 * Keeps the URL and the current record in sync. Normally, the URL follows the record. After back or forward navigation, the
 * record follows the URL. If the record at the URL's position can't be shown, the URL gets the position of the record that is
 * shown instead.
 */
export const useAddress = (options: Options): void => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const moves = useRef<Moves>({ list: null, pending: [], isFollowing: false })
  const { position, addressPosition, list } = options
  useEffect(() => {
    const { addressPosition: currentAddressPosition, moveAddress } = latest.current
    if (position === null) return
    const isFirst = moves.current.list !== list
    const pending = isFirst ? [] : moves.current.pending
    const target = pending.at(-1) ?? currentAddressPosition
    const isSame = position === target
    const replace = isFirst || moves.current.isFollowing
    moves.current = { list, pending: isSame ? pending : [...pending, position], isFollowing: false }
    if (!isSame) moveAddress(position, replace)
  }, [position, list])
  /**
   * The URL's position when this effect last ran. At first, it equals the current position, so the effect moves nothing: the list
   * starts at that position anyway.
   */
  const seen = useRef(addressPosition)
  useEffect(() => {
    if (seen.current === addressPosition) return
    seen.current = addressPosition
    const { position: shown, list: currentList, moveRecord } = latest.current
    const at = moves.current.pending.indexOf(addressPosition)
    if (at >= 0) {
      moves.current = { ...moves.current, pending: moves.current.pending.slice(at + 1) }
      return
    }
    if (shown === null || shown === addressPosition) return
    moves.current = { ...moves.current, isFollowing: true }
    void moveRecord(addressPosition).then((reached) => {
      const { addressPosition: now, list: listNow, moveAddress } = latest.current
      const { pending } = moves.current
      const isOver = reached === null || now !== addressPosition || listNow !== currentList || pending.length > 0
      if (isOver || reached === addressPosition) return
      moves.current = { list: listNow, pending: [reached], isFollowing: false }
      moveAddress(reached, true)
    })
  }, [addressPosition])
}
