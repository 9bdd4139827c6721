import { createContext, use } from 'react'

/** Chosen hues of labels, by question ID and label value. */
export type LabelHues = ReadonlyMap<string, ReadonlyMap<string, number>>

const none: ReadonlyMap<string, number> = new Map()

/** The chosen hues of the dataset on the screen. Labels without a chosen color are missing. */
export const LabelHuesContext = createContext<LabelHues>(new Map())

export const useChosenHues = (questionId: string): ReadonlyMap<string, number> => use(LabelHuesContext).get(questionId) ?? none
