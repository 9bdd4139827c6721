import { useEffect, useRef, useState } from 'react'
import type { Digits } from './digits.ts'
import { createDigits } from './digits.ts'

/** Handles digit keys while an editor is on the screen. Always calls the latest `onNumber`. */
export const useDigits = (onNumber: (number: number) => void): Digits => {
  const latest = useRef(onNumber)
  useEffect(() => {
    latest.current = onNumber
  })
  const [digits] = useState(() => createDigits((number) => latest.current(number)))
  useEffect(() => digits.cancel, [digits])
  return digits
}
