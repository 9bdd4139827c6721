import { useEffect, useRef } from 'react'

type Options = {
  /** The place in the list of the record on the screen; null while there is none. */
  readonly position: number | null
  /** The place that the address names. */
  readonly wanted: number
  readonly moveAddress: (position: number) => void
  readonly moveRecord: (position: number) => void
}

/** The address follows the record on the screen, and the record follows the address when one goes back or forth. */
export const useAddress = (options: Options): void => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { position, wanted } = options
  useEffect(() => {
    const { wanted: named, moveAddress } = latest.current
    if (position !== null && position !== named) moveAddress(position)
  }, [position])
  useEffect(() => {
    const { position: shown, moveRecord } = latest.current
    if (shown !== null && shown !== wanted) moveRecord(wanted)
  }, [wanted])
}
