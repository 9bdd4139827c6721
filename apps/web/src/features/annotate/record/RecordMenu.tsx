import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { Suspense, useState } from 'react'
import { fieldSlice } from '#field-types/registry.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { recordLink } from '#lib/url/record-link.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { useCopyText } from '#ui/feedback/use-copy-text.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { InfoIcon } from '#ui/marks/first-icons.tsx'
import { CopyIcon, HistoryIcon, MoreIcon, SimilarIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import type { Annotator } from '../answering/annotator.ts'

const RecordInfo = lazyPart(() => import('./RecordInfo.tsx').then((module) => ({ default: module.RecordInfo })), {
  reportsFailure: true,
})
const HistoryDialog = lazyPart(
  () => import('../history/HistoryDialog.tsx').then((module) => ({ default: module.HistoryDialog })),
  { reportsFailure: true },
)

const asText = (record: AnnotationRecord, fields: readonly Field[]): string =>
  fields
    .flatMap((field) => {
      const value = record.fields[field.name]
      return value === undefined || value === null ? [] : [`${field.title}\n${fieldSlice(field.settings).plainText(value)}`]
    })
    .join('\n\n')

type Props = {
  readonly record: AnnotationRecord
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly annotator: Annotator
  /** Finds similar records. Null if another button does that or no search is possible. */
  readonly onFindSimilar: (() => void) | null
}

export const RecordMenu = ({ record, fields, questions, annotator, onFindSimilar }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { t: common } = useTranslation()
  const [shown, setShown] = useState<'info' | 'history' | null>(null)
  const close = (): void => setShown(null)
  const copy = useCopyText()
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={MoreIcon} label={t('record.menu')} />}>
        <MenuItem icon={InfoIcon} onSelect={() => setShown('info')}>
          {t('record.viewMetadata')}
        </MenuItem>
        <MenuItem icon={HistoryIcon} onSelect={() => setShown('history')}>
          {t('history.title')}
        </MenuItem>
        <MenuItem icon={CopyIcon} onSelect={() => void copy(asText(record, fields), t('record.copied'))}>
          {t('record.copy')}
        </MenuItem>
        <MenuItem icon={CopyIcon} onSelect={() => void copy(recordLink(record.dataset_id, record.id), common('action.copied'))}>
          {t('record.copyLink')}
        </MenuItem>
        {onFindSimilar && (
          <MenuItem icon={SimilarIcon} onSelect={onFindSimilar}>
            {t('similarity.find')}
          </MenuItem>
        )}
      </Menu>
      {shown && (
        <Suspense>
          {shown === 'info' ? (
            <RecordInfo record={record} onClose={close} />
          ) : (
            <HistoryDialog record={record} fields={fields} questions={questions} annotator={annotator} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  )
}
