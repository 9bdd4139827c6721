import type { SavedView } from '@postil/contract/saved-views.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { createView, deleteView, updateView, viewsQuery } from './api.ts'

const changed = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  views.some(({ id }) => id === view.id) ? views.map((one) => (one.id === view.id ? view : one)) : [...views, view]

/** Mutations of a dataset's views. They update the list at once; the caller reports errors. */
export const useViews = (datasetId: string) => {
  const client = useQueryClient()
  const { queryKey } = viewsQuery(datasetId)
  const updateList = (view: SavedView): void => {
    client.setQueryData(queryKey, (before) => before && changed(before, view))
  }
  const onSettled = () => client.invalidateQueries({ queryKey })
  const create = useMutation({
    meta: { showsProblem: true },
    mutationFn: (body: Parameters<typeof createView>[1]) => createView(datasetId, body),
    onSuccess: updateList,
    onSettled,
  })
  const update = useMutation({
    meta: { showsProblem: true },
    mutationFn: ({ id, ...body }: Parameters<typeof updateView>[2] & { readonly id: string }) => updateView(datasetId, id, body),
    onSuccess: updateList,
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (id: string) => deleteView(datasetId, id),
    onSuccess: ({ id }) => client.setQueryData(queryKey, (before) => before?.filter((view) => view.id !== id)),
    onSettled,
  })
  return { create, update, remove }
}

/**
 * Handles a form that is submitted without a name: shows the error at the input, focuses it and announces the error to screen
 * readers.
 */
export const useMissingName = () => {
  const { t } = useTranslation('features/saved-views')
  const [isMissing, setMissing] = useState(false)
  const exists = (name: string, form: HTMLFormElement): boolean => {
    if (name.trim() !== '') return true
    setMissing(true)
    announce(t('nameMissing'))
    form.querySelector('input')?.focus()
    return false
  }
  return { isMissing, exists, forget: () => setMissing(false) }
}

/** Describes the error in a name. Null if the name is valid. */
export const useNameFault = (error: unknown, isMissing: boolean): string | null => {
  const { t } = useTranslation('features/saved-views')
  if (isMissing) return t('nameMissing')
  if (!error) return null
  return error instanceof ApiError && error.status === 409 ? t('taken') : problemMessage(error)
}
