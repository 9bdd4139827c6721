import { createContext, use, useEffect, useRef } from 'react'
import type { PressedKey } from '#lib/keys/latin-key.ts'
import { latinKey } from '#lib/keys/latin-key.ts'

/** A key as a question sees it. */
export type KeyPress = {
  readonly key: string
  readonly shift: boolean
  readonly ctrl: boolean
  readonly alt: boolean
  /** True when the focus is on the question as a whole, or on the page: then no part of it has its own use for the key. */
  readonly onQuestion: boolean
}

/** Gives true when the key was used. */
export type KeyHandler = (press: KeyPress) => boolean

export type KeyRegistry = { readonly register: (handler: KeyHandler) => () => void }

/** Where a question's editor says which keys it answers to; the form hands them over. */
export const QuestionKeysContext = createContext<KeyRegistry>({ register: () => () => {} })

/** Answers to keys while this question is the one in use, wherever in it the focus is. */
export const useQuestionKeys = (handler: KeyHandler): void => {
  const { register } = use(QuestionKeysContext)
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => register((press) => latest.current(press)), [register])
}

export const keyPress = (event: PressedKey & { readonly shiftKey: boolean }, onQuestion: boolean): KeyPress => ({
  key: latinKey(event),
  shift: event.shiftKey,
  ctrl: event.ctrlKey || event.metaKey,
  alt: event.altKey,
  onQuestion,
})
