import type { Question } from '@postil/contract/questions.ts'
import type { Answer, Answers } from '#lib/drafts/draft.ts'
import { accepted, changedAnswers, emptyAnswers, sameAnswers } from './answers.ts'
import { changed, historyOf, redone, undone } from './history.ts'

export type FormSnapshot = {
  readonly answers: Answers
  /** Differs from the answer, or from the suggestions, that the record has. */
  readonly isEdited: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** How many steps undo can go back. */
  readonly depth: number
}

export type Form = ReturnType<typeof createForm>

type Options = {
  readonly questions: readonly Question[]
  /** What the record has. */
  readonly base: Answers
  /** Edits that were kept on the device, of the questions that were edited. */
  readonly edits: Answers | null
  /** After every change, with the edits to keep: of each question that is edited; null when none is. */
  readonly onEdits: (edits: Answers | null) => void
}

/** The answers of one record while they are made, with undo. */
export const createForm = ({ questions, base: initialBase, edits, onEdits }: Options) => {
  let base = initialBase
  let history = historyOf<Answers>({ ...base, ...edits })
  const listeners = new Set<() => void>()
  const read = (): FormSnapshot => ({
    answers: history.present,
    isEdited: !sameAnswers(questions, history.present, base),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    depth: history.past.length,
  })
  let snapshot = read()

  const become = (next: typeof history): boolean => {
    if (next === history) return false
    history = next
    snapshot = read()
    onEdits(snapshot.isEdited ? changedAnswers(history.present, base) : null)
    for (const listener of listeners) listener()
    return true
  }

  return {
    snapshot: (): FormSnapshot => snapshot,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (question: string, answer: Answer, merge = false): void => {
      become(changed(history, { ...history.present, [question]: answer }, question, merge))
    },
    /** Empties every question; can be undone. */
    clear: (): void => {
      become(changed(history, emptyAnswers(questions), 'clear'))
    },
    /** Goes back to what the record has; can be undone. */
    discardEdits: (): void => {
      become(changed(history, base, 'discard'))
    },
    /** False when there was nothing to undo. */
    undo: (): boolean => become(undone(history)),
    redo: (): boolean => become(redone(history)),
    /**
     * The record has another answer now. What is in the form stays, and counts as edited when it differs; what was only suggested
     * and is now part of the answer is accepted.
     */
    rebase: (answers: Answers): void => {
      base = answers
      become({ ...history, present: accepted(questions, history.present, base) })
    },
    /** Shows another answer, as after a conflict was settled for the other side: there is nothing to undo. */
    replace: (answers: Answers, edited: Answers = answers): void => {
      base = answers
      become(historyOf(edited))
    },
  }
}
