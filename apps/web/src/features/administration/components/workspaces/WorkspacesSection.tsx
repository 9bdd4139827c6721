import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { workspacesQuery } from '../../api.ts'
import { useAsyncAction } from '../../use-async-action.ts'
import styles from '../AdministrationPage.module.css'
import { SectionHeader } from '../SectionHeader.tsx'
import { WorkspaceRow } from './WorkspaceRow.tsx'

/** Matches the workspace names that the server accepts. */
const workspaceName = /^[a-zA-Z0-9_-]+$/

/** Workspaces and their members. */
export const WorkspacesSection = ({ calls }: { readonly calls: AdministrationCalls }) => {
  const { t } = useTranslation('features/administration')
  const read = useQuery(workspacesQuery())
  const { data: workspaces } = read
  const [isAdding, setAdding] = useState(false)
  const error = blockingError(read)
  if (error) throw error
  return (
    <>
      <SectionHeader title={t('section.workspaces')} count={workspaces?.length}>
        <Button look="primary" icon={PlusIcon} onClick={() => setAdding(true)}>
          {t('workspaces.add')}
        </Button>
      </SectionHeader>
      {!workspaces && <Skeleton height="9lh" />}
      {workspaces?.length === 0 && <p className={styles['none']}>{t('workspaces.none')}</p>}
      <ul className={styles['list']} aria-labelledby="section-title">
        {workspaces?.map((workspace) => (
          <WorkspaceRow key={workspace.id} workspace={workspace} calls={calls} />
        ))}
      </ul>
      {isAdding && <NewWorkspaceDialog calls={calls} onClose={() => setAdding(false)} />}
    </>
  )
}

const NewWorkspaceDialog = ({ calls, onClose }: { readonly calls: AdministrationCalls; readonly onClose: () => void }) => {
  const { t } = useTranslation('features/administration')
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const { busy, problem, run } = useAsyncAction()
  const isGood = workspaceName.test(name)
  const add = async (): Promise<void> => {
    if (!(await run(() => calls.createWorkspace(name)))) return
    announce(t('workspaces.added', { name }))
    onClose()
  }
  return (
    <FormDialog
      title={t('workspaces.add')}
      submitLabel={t('workspaces.addVerb')}
      busy={busy}
      blocked={!isGood}
      problem={problem}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <Input
        label={t('workspaces.name')}
        hint={t('workspaces.nameHint')}
        error={name !== '' && !isGood ? t('workspaces.nameHint') : null}
        autoComplete="off"
        autoCapitalize="none"
        maxLength={500}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  )
}
