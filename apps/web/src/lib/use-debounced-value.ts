import { useEffect, useState } from 'react'

/** Returns a value once it has not changed for `delay` milliseconds. Values are compared as text. */
export const useDebouncedValue = <T>(value: T, delay: number): T => {
  const [debounced, setDebounced] = useState(value)
  const serialized = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(serialized) as T), delay)
    return () => clearTimeout(timer)
  }, [serialized, delay])
  return debounced
}
