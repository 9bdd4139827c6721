import { useEffect, useMemo, useState } from 'react'

/**
 * Loads what a component needs, and renders the component again when loading is done. Loads again when `key` changes.
 * @returns whether loading is done, and a promise that resolves when it is
 */
export const usePrepared = (key: string, load: (key: string) => Promise<unknown>) => {
  const [ready, setReady] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what is loaded
  const prepared = useMemo(() => load(key), [key])
  useEffect(() => {
    let isWanted = true
    void prepared.then(() => isWanted && setReady(key))
    return () => {
      isWanted = false
    }
  }, [prepared, key])
  return { isReady: ready === key, prepared }
}
