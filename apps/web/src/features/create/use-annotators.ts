import type { ImportFile } from '@postil/contract/files/imports.ts'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '#features/auth/public.ts'
import { workspaceUsersQuery } from '#lib/api/dataset-queries.ts'
import { type AnnotatorBody, type AnnotatorChoices, annotatorsOf, isMapped } from './annotators.ts'

type Person = { readonly id: string; readonly username: string; readonly first_name: string; readonly last_name: string | null }

export type Annotators = {
  /** Annotations can be imported as answers of these users: the members of the workspace, and the caller. */
  readonly people: readonly Person[]
  readonly choices: AnnotatorChoices
  /** How the annotations are imported. Undefined if all of them are imported as suggestions. */
  readonly annotators: readonly AnnotatorBody[] | undefined
  /** Whether the members of the workspace are still loading. */
  readonly isLoading: boolean
}

/** Returns how the annotations in a file will be imported. @param workspaceId empty until the workspace is chosen */
export const useAnnotators = (file: ImportFile | null, workspaceId: string, choices: AnnotatorChoices = {}): Annotators => {
  const user = useUser()
  const hasAnnotations = (file?.contents?.annotations.length ?? 0) > 0
  const members = useQuery({ ...workspaceUsersQuery(workspaceId), enabled: hasAnnotations && workspaceId !== '' })
  const others = (members.data ?? []).filter(({ id, agent }) => id !== user.id && !agent)
  const people = workspaceId === '' ? [] : [user, ...others]
  const all = file === null ? [] : annotatorsOf(file, choices, people)
  return { people, choices, annotators: isMapped(all) ? all : undefined, isLoading: members.isLoading }
}
