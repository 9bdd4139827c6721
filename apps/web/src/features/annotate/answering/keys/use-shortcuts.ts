import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'
import { isComposing } from '#lib/keys/is-composing.ts'
import { useBindings } from '#lib/keys/use-bindings.ts'
import type { KeyPress } from '#question-types/question-keys.ts'
import { keyPress } from '#question-types/question-keys.ts'
import type { KeyPlace } from './place-of-key.ts'
import { keyPlaceOf } from './place-of-key.ts'
import type { ShortcutAction } from './shortcuts.ts'
import { actionFor } from './shortcuts.ts'

type Options = {
  readonly form: RefObject<HTMLElement | null>
  readonly record: RefObject<HTMLElement | null>
  /**
   * Offers a key to the questions first. Returns true if one of them handled it. `isRepeated` is true while the key is held.
   */
  readonly dispatch: (press: KeyPress, isRepeated: boolean) => boolean
  readonly onAction: (action: ShortcutAction) => void
}

/** The shortcuts of the annotation screen. An active question handles keys first. */
export const useShortcuts = (options: Options): void => {
  const bindings = useBindings()
  const latest = useRef({ ...options, bindings })
  useEffect(() => {
    latest.current = { ...options, bindings }
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isComposing(event)) return
      const { form, record, dispatch, onAction, bindings: keys } = latest.current
      const place: KeyPlace = keyPlaceOf(event.target, { form: form.current, record: record.current })
      if (place === 'elsewhere') return
      const onQuestion = !(event.target instanceof Element && event.target.closest('[data-option]'))
      const press = keyPress(event, onQuestion)
      const isHandled = place !== 'writing' && dispatch(press, event.repeat)
      const action = isHandled || event.repeat ? null : actionFor(press, place, keys)
      if (isHandled || action) event.preventDefault()
      if (action) onAction(action)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
