import { createContext, use } from 'react'

/** Chosen hues of labels, by question ID and label value. */
export type LabelHues = ReadonlyMap<string, ReadonlyMap<string, number>>

const none: ReadonlyMap<string, number> = new Map()

/** The chosen hues in the open dataset. Labels without a chosen color aren't included. */
export const LabelHuesContext = createContext<LabelHues>(new Map())

export const useChosenHues = (questionId: string): ReadonlyMap<string, number> => use(LabelHuesContext).get(questionId) ?? none
