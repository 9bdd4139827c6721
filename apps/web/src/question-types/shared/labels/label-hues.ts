import { createContext, use } from 'react'

/** Chosen hues of labels, keyed by question ID and label value. */
export type LabelHues = ReadonlyMap<string, ReadonlyMap<string, number>>

const none: ReadonlyMap<string, number> = new Map()

/** The empty value that is used until the hues are loaded. During this time, labels are shown without colors. */
export const noLabelHues: LabelHues = new Map()
/** The chosen hues in the open dataset. Labels without a chosen color aren't included. */
export const LabelHuesContext = createContext(noLabelHues)

export const useChosenHues = (questionId: string): ReadonlyMap<string, number> => use(LabelHuesContext).get(questionId) ?? none
