import type { Question } from '@postil/contract/questions.ts'
import type { KeyHandler, KeyPress, KeyRegistry } from '#question-types/question-keys.ts'
import { questionSlice } from '#question-types/registry.ts'

/** The shortcuts of the questions on the screen. */
export type FormKeys = {
  readonly registryOf: (question: string) => KeyRegistry
  /**
   * Offers a key to the active question. Some questions are answered in the text of a field. If there is exactly one such
   * question, it is offered the digits that the active question doesn't handle.
   * @returns whether a question handled the key
   */
  readonly dispatch: (press: KeyPress, active: string | null) => boolean
}

export const createFormKeys = (questions: readonly Question[]): FormKeys => {
  const handlers = new Map<string, KeyHandler>()
  const registries = new Map<string, KeyRegistry>()
  const inText = questions.filter((question) => questionSlice(question.settings).fieldEditing)
  const onlyInText = inText.length === 1 ? inText[0]?.name : undefined
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
    dispatch: (press, active) => {
      if (active !== null && handlers.get(active)?.(press)) return true
      return (
        onlyInText !== undefined && onlyInText !== active && /^\d$/.test(press.key) && handlers.get(onlyInText)?.(press) === true
      )
    },
  }
}
