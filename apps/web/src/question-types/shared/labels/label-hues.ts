import { createContext, use } from 'react'

/** Hues that were chosen for labels, by the id of the question and the label's value. */
export type LabelHues = ReadonlyMap<string, ReadonlyMap<string, number>>

const none: ReadonlyMap<string, number> = new Map()

/** What is chosen in the dataset on the screen; labels without a colour of their own are not in it. */
export const LabelHuesContext = createContext<LabelHues>(new Map())

export const useChosenHues = (questionId: string): ReadonlyMap<string, number> => use(LabelHuesContext).get(questionId) ?? none
