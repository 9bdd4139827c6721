import { useEffect, useState } from 'react'

/** A value once it has stayed the same for a while, in milliseconds. Values are compared by what they print. */
export const useSettled = <T>(value: T, pause: number): T => {
  const [settled, setSettled] = useState(value)
  const printed = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(printed) as T), pause)
    return () => clearTimeout(timer)
  }, [printed, pause])
  return settled
}
