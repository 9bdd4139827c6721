import type { Question } from '@postil/contract/questions.ts'
import type { KeyHandler, KeyPress, KeyRegistry } from '#question-types/question-keys.ts'
import { questionSlice } from '#question-types/registry.ts'

/** The keys of the questions on the screen. */
export type FormKeys = {
  readonly registryOf: (question: string) => KeyRegistry
  /** Gives a key to the question in use, and else to the only one that is answered in the text. */
  readonly offer: (press: KeyPress, active: string | null) => boolean
}

export const createFormKeys = (questions: readonly Question[]): FormKeys => {
  const handlers = new Map<string, KeyHandler>()
  const registries = new Map<string, KeyRegistry>()
  const inText = questions.filter((question) => questionSlice(question.settings.type).inField)
  const everywhere = inText.length === 1 ? inText[0]?.name : undefined
  const make = (name: string): KeyRegistry => ({
    register: (handler) => {
      handlers.set(name, handler)
      return () => {
        if (handlers.get(name) === handler) handlers.delete(name)
      }
    },
  })
  return {
    registryOf: (name) => {
      const known = registries.get(name) ?? make(name)
      registries.set(name, known)
      return known
    },
    offer: (press, active) => {
      if (active !== null && handlers.get(active)?.(press)) return true
      return (
        everywhere !== undefined && everywhere !== active && /^\d$/.test(press.key) && handlers.get(everywhere)?.(press) === true
      )
    },
  }
}
