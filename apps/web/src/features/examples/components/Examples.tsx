import type { Home } from '@postil/contract/home.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { createExample } from '../create-example.ts'
import type { ExampleName } from '../examples.ts'
import { exampleNames, examples, freeName } from '../examples.ts'
import styles from './Examples.module.css'

type Props = { readonly home: Home; readonly isNarrow?: boolean }

/** Three small datasets to start with. */
export const Examples = ({ home, isNarrow = false }: Props) => {
  const { t } = useTranslation('features/examples')
  const client = useQueryClient()
  const navigate = useNavigate()
  const { workspaces, datasets } = home
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.id ?? '')
  const [busy, setBusy] = useState<ExampleName | null>(null)
  const make = async (name: ExampleName): Promise<void> => {
    setBusy(name)
    try {
      const example = await examples[name]()
      const taken = datasets.filter(({ dataset }) => dataset.workspace_id === workspaceId).map(({ dataset }) => dataset.name)
      const id = await createExample(example, { name: freeName(example.name, new Set(taken)), workspaceId })
      announce(t('made'))
      void client.invalidateQueries({ queryKey: ['home'] })
      await navigate({ to: '/dataset/$datasetId/annotation-mode', params: { datasetId: id } })
    } catch (error) {
      toastProblem(error)
    } finally {
      setBusy(null)
    }
  }
  if (workspaces.length === 0) return <p className={styles['hint']}>{t('noWorkspace')}</p>
  return (
    <>
      {!isNarrow && <p className={styles['hint']}>{t('hint')}</p>}
      {workspaces.length > 1 && (
        <p className={styles['where']}>
          <span aria-hidden="true">{t('workspace')}</span>
          <Select
            label={t('workspace')}
            value={workspaceId}
            options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setWorkspaceId}
          />
        </p>
      )}
      <ul className={styles['examples']} data-narrow={isNarrow ? '' : undefined}>
        {exampleNames.map((name) => (
          <li key={name} className={styles['example']}>
            <div className={styles['about']}>
              <h3 id={`example-${name}`}>{t(`title.${name}`)}</h3>
              <p>{t(`about.${name}`)}</p>
            </div>
            <Button
              aria-describedby={`example-${name}`}
              busy={busy === name}
              blocked={busy !== null && busy !== name}
              onClick={() => void make(name)}
            >
              {isNarrow ? t('openShort') : t('open')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
