import { useEffect, useState } from 'react'
import { askAboutStuckAnswers } from '#features/stuck-answers/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isUnknownDataset } from '#lib/api/dataset-queries.ts'
import type { Line } from '#lib/outbox/types.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { closeToast, toast, toastProblem } from '#ui/toast.ts'
import { fetchRecord } from './api.ts'
import type { Annotation } from './use-annotation.ts'

/** One answer of one record: another answer to it that is refused again is another trouble. */
const nameOf = ({ record_id, entries }: Line): string => `${record_id} ${entries.at(-1)?.mutation_id}`

/** Tells of answers to this dataset that the server refused or that were changed elsewhere, and brings their records back. */
export const useTroubleNotice = ({ queue }: Pick<Annotation, 'queue'>, datasetId: string): void => {
  const { t } = useTranslation('features/annotate')
  const { lines } = useOutbox()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const troubled = [...lines.values()].filter(
    (line) => line.dataset_id === datasetId && line.trouble !== null && !closed.has(nameOf(line)),
  )
  const [first] = troubled
  const name = first ? nameOf(first) : null
  const recordId = first?.record_id ?? null
  const isMany = troubled.filter(({ trouble }) => trouble?.kind === 'refused').length > 1
  const kind = first?.trouble?.kind ?? null
  const words = kind === 'refused' && isMany ? 'someRefused' : kind
  useEffect(() => {
    if (name === null || recordId === null || words === null) return
    const show = async (): Promise<void> => {
      const known = queue.find(recordId)?.record
      try {
        queue.bring(known ?? (await fetchRecord(recordId)))
      } catch (error) {
        // The record itself is gone, and only its answer can be shown.
        if (isUnknownDataset(error)) askAboutStuckAnswers(recordId)
        else toastProblem(error)
      }
    }
    let isOver = false
    const notice = toast({
      text: t(`trouble.${words}`),
      kind: 'danger',
      permanent: true,
      key: 'trouble',
      button: { label: t('trouble.show'), onClick: () => void show() },
      onClose: () => {
        if (!isOver) setClosed((before) => new Set([...before, name]))
      },
    })
    return () => {
      isOver = true
      closeToast(notice)
    }
  }, [name, recordId, words, queue, t])
}
