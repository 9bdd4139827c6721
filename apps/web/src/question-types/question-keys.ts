import { createContext, use, useEffect, useRef } from 'react'
import type { PressedKey } from '#lib/keys/latin-key.ts'
import { latinKey } from '#lib/keys/latin-key.ts'

/** A key press, as passed to a question. */
export type KeyPress = {
  readonly key: string
  /** The digit printed on a key of the digit row, even with Shift. Null for other keys. */
  readonly digit: string | null
  readonly shift: boolean
  readonly ctrl: boolean
  readonly alt: boolean
  /** Whether the focus is on the question as a whole or on no control at all, so that no inner control uses the key. */
  readonly isOnQuestion: boolean
}

/** Returns true if the key was handled. */
export type KeyHandler = (press: KeyPress) => boolean

export type KeyRegistry = { readonly register: (handler: KeyHandler) => () => void }

/** Registers the keys that editors handle. The form passes key presses on to the editors. */
export const QuestionKeysContext = createContext<KeyRegistry>({ register: () => () => {} })

/** Handles keys while this question is active, wherever the focus is inside the question. */
export const useQuestionKeys = (handler: KeyHandler): void => {
  const { register } = use(QuestionKeysContext)
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => register((press) => latest.current(press)), [register])
}

export const keyPress = (event: PressedKey & { readonly shiftKey: boolean }, isOnQuestion: boolean): KeyPress => ({
  key: latinKey(event),
  digit: /^Digit(\d)$/.exec(event.code)?.[1] ?? (/^\d$/.test(event.key) ? event.key : null),
  shift: event.shiftKey,
  ctrl: event.ctrlKey || event.metaKey,
  alt: event.altKey,
  isOnQuestion,
})
