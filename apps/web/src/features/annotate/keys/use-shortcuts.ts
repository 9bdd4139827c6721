import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'
import { isComposing } from '#lib/keys/is-composing.ts'
import { useBindings } from '#lib/keys/use-bindings.ts'
import type { KeyPress } from '#question-types/question-keys.ts'
import { keyPress } from '#question-types/question-keys.ts'
import type { KeyPlace } from './place-of-key.ts'
import { placeOf } from './place-of-key.ts'
import type { Deed } from './shortcuts.ts'
import { deedOf } from './shortcuts.ts'

type Options = {
  readonly form: RefObject<HTMLElement | null>
  readonly record: RefObject<HTMLElement | null>
  /** Hands a key to the questions first; true when one of them used it. */
  readonly offer: (press: KeyPress) => boolean
  readonly onDeed: (deed: Deed) => void
}

/** The keys of the annotation screen. A question in use has the first word. */
export const useShortcuts = (options: Options): void => {
  const bindings = useBindings()
  const latest = useRef({ ...options, bindings })
  useEffect(() => {
    latest.current = { ...options, bindings }
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isComposing(event)) return
      const { form, record, offer, onDeed, bindings: keys } = latest.current
      const place: KeyPlace = placeOf(event.target, { form: form.current, record: record.current })
      if (place === 'elsewhere') return
      const onQuestion = !(event.target instanceof Element && event.target.closest('[data-option]'))
      const press = keyPress(event, onQuestion)
      const isUsed = place !== 'writing' && offer(press)
      const deed = isUsed || event.repeat ? null : deedOf(press, place, keys)
      if (isUsed || deed) event.preventDefault()
      if (deed) onDeed(deed)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
