import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'
import { keyPlaceOf } from '../answering/keys/place-of-key.ts'

type Options = {
  readonly form: RefObject<HTMLElement | null>
  readonly list: RefObject<HTMLElement | null>
  readonly onAll: () => void
}

/** Selects all records of the page on Ctrl+A, except in a text input. */
export const useSelectAll = (options: Options): void => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isSelectAll = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'a'
      if (!isSelectAll || event.defaultPrevented) return
      const { form, list, onAll } = latest.current
      const place = keyPlaceOf(event.target, { form: form.current, record: list.current })
      if (place === 'writing' || place === 'elsewhere') return
      event.preventDefault()
      onAll()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
