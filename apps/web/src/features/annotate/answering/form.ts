import type { Question } from '@postil/contract/questions.ts'
import type { Answer, Answers } from '#lib/drafts/draft.ts'
import { areSameAnswers, emptyAnswers, markStored, pickChangedAnswers } from './answers.ts'
import { addState, createHistory, redoState, undoState } from './undo-history.ts'

export type FormSnapshot = {
  readonly answers: Answers
  /** Whether the form differs from the record's answer or suggestions. */
  readonly isEdited: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** How many steps can be undone. */
  readonly depth: number
}

export type Form = ReturnType<typeof createForm>

type Options = {
  readonly questions: readonly Question[]
  /** The record's answer or suggestions. */
  readonly base: Answers
  /** Edits that were stored on the device, for the questions that were edited. */
  readonly edits: Answers | null
  /** Called after every change with the edited answers to store, or null if nothing is edited. */
  readonly onEdits: (edits: Answers | null) => void
}

/** Creates a record's form, which holds its answers while they are edited and can undo edits. */
export const createForm = ({ questions, base: initialBase, edits, onEdits }: Options) => {
  let base = initialBase
  let history = createHistory<Answers>({ ...base, ...edits })
  const listeners = new Set<() => void>()
  const read = (): FormSnapshot => ({
    answers: history.present,
    isEdited: !areSameAnswers(questions, history.present, base),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    depth: history.past.length,
  })
  let snapshot = read()

  const applyHistory = (next: typeof history): boolean => {
    if (next === history) return false
    history = next
    snapshot = read()
    onEdits(snapshot.isEdited ? pickChangedAnswers(history.present, base) : null)
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
      applyHistory(addState(history, { ...history.present, [question]: answer }, question, merge))
    },
    /** Clears every question. Can be undone. */
    clear: (): void => {
      applyHistory(addState(history, emptyAnswers(questions), 'clear'))
    },
    /** Restores the record's answer or suggestions. Can be undone. */
    discardEdits: (): void => {
      applyHistory(addState(history, base, 'discard'))
    },
    /** Returns false if there was nothing to undo. */
    undo: (): boolean => applyHistory(undoState(history)),
    redo: (): boolean => applyHistory(redoState(history)),
    /**
     * Replaces the answer with which the form is compared. The form keeps its content. If the content differs from the new
     * answer, it counts as edited.
     */
    rebase: (answers: Answers): void => {
      base = answers
      applyHistory({ ...history, present: markStored(questions, history.present, base) })
    },
    /**
     * Shows another answer, for example after a conflict is settled in favor of the server's answer. Clears the undo history.
     */
    replace: (answers: Answers, edited: Answers = answers): void => {
      base = answers
      applyHistory(createHistory(edited))
    },
  }
}
