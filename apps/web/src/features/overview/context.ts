import type { Dataset } from '@postil/contract/datasets.ts'
import type { Question } from '@postil/contract/questions.ts'
import { createContext, use } from 'react'
import type { People } from '#features/records/public.ts'

/** What every section needs. */
type OverviewContext = {
  readonly dataset: Dataset
  readonly questions: readonly Question[]
  readonly people: People
}

const Context = createContext<OverviewContext | null>(null)
export const OverviewContextProvider = Context.Provider

export const useOverview = (): OverviewContext => {
  const context = use(Context)
  if (context === null) throw new Error('the overview has not been loaded')
  return context
}
