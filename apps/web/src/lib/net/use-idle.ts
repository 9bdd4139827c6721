import { useEffect, useState } from 'react'
import { whenIdle } from './connection.ts'

/**
 * Whether the page has become idle at least once since the component appeared. Parts that the first render doesn't need wait for
 * this.
 */
export const useIdle = (): boolean => {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(async () => setIdle(true)), [])
  return isIdle
}
