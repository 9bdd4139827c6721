import { createContext, useContext } from 'react'

/** Whether searches in the dataset on the screen ignore accents. */
export const IgnoredAccentsContext = createContext(false)

export const useIgnoredAccents = (): boolean => useContext(IgnoredAccentsContext)
