import type { Dataset } from '@postil/contract/datasets.ts'
import { Suspense, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { EditIcon, EyeIcon } from '#ui/marks/icons.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { requiredText } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import { ItemForm } from './ItemForm.tsx'
import styles from './SettingsPage.module.css'

const Markdown = lazyPart(() => import('#lib/markdown/Markdown.tsx').then((module) => ({ default: module.Markdown })))

/** The guidelines in Markdown, with a preview. */
export const GuidelinesForm = ({ dataset, calls }: { readonly dataset: Dataset; readonly calls: SettingsCalls }) => {
  const { t } = useTranslation('features/settings')
  const faultText = useFaultText()
  const [isPreview, setPreview] = useState(false)
  const edit = useEdit('general/guidelines', dataset.guidelines ?? '')
  const fault = requiredText(edit.value)
  return (
    <ItemForm
      title={t('general.guidelines')}
      edit={edit}
      isValid={fault === null}
      calls={calls}
      read={async () => (await calls.readDataset()).guidelines ?? ''}
      send={(guidelines) => calls.updateDataset({ guidelines })}
      conflictTexts={{ labelOf: () => t('general.guidelines') }}
      details={
        <div className={styles['views']}>
          <Button look="quiet" icon={EditIcon} aria-pressed={!isPreview} onClick={() => setPreview(false)}>
            {t('general.write')}
          </Button>
          <Button look="quiet" icon={EyeIcon} aria-pressed={isPreview} onClick={() => setPreview(true)}>
            {t('general.preview')}
          </Button>
        </div>
      }
    >
      {isPreview ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section className={styles['guidelines']} tabIndex={0} aria-label={t('general.preview')}>
          {edit.value.trim() === '' ? (
            <p className={styles['none']}>{t('general.noGuidelines')}</p>
          ) : (
            <Suspense fallback={<Skeleton height="4lh" />}>
              <Markdown text={edit.value} />
            </Suspense>
          )}
        </section>
      ) : (
        <TextArea
          label={t('general.guidelines')}
          hideLabel
          hint={t('general.guidelinesHint')}
          // Guidelines that were never written can stay empty. Removing existing guidelines is an error.
          error={edit.isChanged ? faultText(fault) : null}
          value={edit.value}
          onChange={(event) => edit.change(event.target.value)}
        />
      )}
    </ItemForm>
  )
}
