import type { Dataset } from '@postil/contract/datasets.ts'
import type { ModelConnection } from '@postil/contract/model-connections.ts'
import type { ModelRun } from '@postil/contract/model-runs.ts'
import type { Question } from '@postil/contract/questions.ts'
import { createContext, use } from 'react'
import type { ModelCalls } from './api.ts'

/** What every part of the page needs. */
type ModelsContext = {
  readonly dataset: Dataset
  readonly questions: readonly Question[]
  readonly connections: readonly ModelConnection[]
  readonly runs: readonly ModelRun[]
  readonly calls: ModelCalls
}

const Context = createContext<ModelsContext | null>(null)
export const ModelsContextProvider = Context.Provider

export const useModels = (): ModelsContext => {
  const context = use(Context)
  if (context === null) throw new Error('the page about models has not been loaded')
  return context
}
