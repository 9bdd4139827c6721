import { useEffect, useRef } from 'react'

type Options = {
  /** The position of the current record in the list, or null if there is none. */
  readonly position: number | null
  /** The position in the URL. */
  readonly addressPosition: number
  readonly moveAddress: (position: number) => void
  readonly moveRecord: (position: number) => void
}

/**
 * Keeps the URL and the current record in sync: the URL follows the record, and on back or forward the record follows the URL.
 */
export const useAddress = (options: Options): void => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { position, addressPosition } = options
  useEffect(() => {
    const { addressPosition: currentAddressPosition, moveAddress } = latest.current
    if (position !== null && position !== currentAddressPosition) moveAddress(position)
  }, [position])
  useEffect(() => {
    const { position: shown, moveRecord } = latest.current
    if (shown !== null && shown !== addressPosition) moveRecord(addressPosition)
  }, [addressPosition])
}
