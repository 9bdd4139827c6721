import type { UserRole } from '@postil/contract/people/users.ts'
import type { Workspace } from '@postil/contract/people/workspaces.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Select } from '#ui/controls/Select.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import type { ShownLink } from '../../invitations-api.ts'
import { invitationCalls } from '../../invitations-api.ts'
import { useAsyncAction } from '../../use-async-action.ts'
import styles from '../AdministrationPage.module.css'
import type { Names } from '../users/NamesInputs.tsx'
import { hasNames, isAboutUsername, NamesInputs, trimmed } from '../users/NamesInputs.tsx'
import { WorkspaceChoice } from '../workspaces/WorkspaceChoice.tsx'
import { LinkDialog } from './LinkDialog.tsx'

const allRoles: readonly UserRole[] = ['annotator', 'admin', 'owner']

type Props = {
  readonly workspaces: readonly Workspace[]
  /** Whether the user may invite only annotators, and only into `workspaces`. */
  readonly isAdmin: boolean
  readonly onClose: () => void
}

export const InviteDialog = ({ workspaces, isAdmin, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const { t: common } = useTranslation()
  const client = useQueryClient()
  const [names, setNames] = useState<Names>({ username: '', first_name: '', last_name: '' })
  const [role, setRole] = useState<UserRole>('annotator')
  const [edited, setEdited] = useState<ReadonlySet<string> | null>(null)
  const [shown, setShown] = useState<ShownLink | null>(null)
  const usual = workspaces.length === 1 ? workspaces[0] : workspaces.find(({ name }) => name === 'default')
  const chosen = edited ?? new Set(usual === undefined ? [] : [usual.id])
  const { busy, problem, run } = useAsyncAction()
  const stored = trimmed(names)
  const invite = async (): Promise<void> => {
    const workspace_ids = role === 'owner' ? [] : [...chosen]
    await run(async () => setShown(await invitationCalls(client).invite({ ...stored, role, workspace_ids })))
  }
  if (shown)
    return (
      <LinkDialog
        title={t('invitations.linkTitle', { name: stored.first_name })}
        explanation={t('invitations.linkExplain')}
        shown={shown}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={t('invitations.add')}
      submitLabel={t('invitations.create')}
      busy={busy}
      blocked={!hasNames(names) || (isAdmin && chosen.size === 0)}
      problem={isAboutUsername(problem) ? null : problem}
      onSubmit={() => void invite()}
      onClose={onClose}
    >
      <p className={styles['hint']}>{t('invitations.explain')}</p>
      <NamesInputs names={names} onChange={setNames} problem={problem} />
      {!isAdmin && (
        <div className={styles['labelled']}>
          <span aria-hidden="true">{t('users.role')}</span>
          <Select
            label={t('users.role')}
            value={role}
            options={allRoles.map((value) => ({ value, label: common(`user.role.${value}`) }))}
            onChange={setRole}
          />
          <p className={styles['hint']}>{t(`users.about.${role}`)}</p>
        </div>
      )}
      {role !== 'owner' && <WorkspaceChoice workspaces={workspaces} chosen={chosen} onChange={setEdited} />}
      {role !== 'owner' && chosen.size === 0 && (
        <p className={styles['hint']}>{isAdmin ? t('invitations.needsWorkspace') : t('users.noWorkspace')}</p>
      )}
    </FormDialog>
  )
}
