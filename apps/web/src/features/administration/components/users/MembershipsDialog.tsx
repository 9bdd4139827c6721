import type { User } from '@postil/contract/people/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { workspacesOfUserQuery, workspacesQuery } from '../../api.ts'
import { useAsyncAction } from '../../use-async-action.ts'
import { WorkspaceChoice } from '../workspaces/WorkspaceChoice.tsx'

type Props = { readonly user: User; readonly calls: AdministrationCalls; readonly onClose: () => void }

export const MembershipsDialog = ({ user, calls, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const { data: workspaces = [], error: noWorkspaces } = useQuery(workspacesQuery())
  const { data: stored, error: noMemberships } = useQuery(workspacesOfUserQuery(user.id))
  const [edited, setEdited] = useState<ReadonlySet<string> | null>(null)
  const { busy, problem, run } = useAsyncAction()
  const removed = noMemberships ?? noWorkspaces
  const was = new Set(stored?.map(({ id }) => id))
  const chosen = edited ?? was
  const save = async (): Promise<void> => {
    const saved = await run(async () => {
      for (const id of chosen) if (!was.has(id)) await calls.addMember(id, user.id)
      for (const id of was) if (!chosen.has(id)) await calls.removeMember(id, user.id)
    })
    if (!saved) return
    announce(t('users.saved', { username: user.username }))
    onClose()
  }
  return (
    <FormDialog
      title={t('users.workspacesTitle', { username: user.username })}
      submitLabel={t('save')}
      busy={busy}
      blocked={stored === undefined || removed !== null}
      problem={problem}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {removed ? (
        <ProblemNotice error={removed} isAlert />
      ) : stored === undefined ? (
        // Before the memberships are loaded, saving a choice could remove some of them.
        <div aria-busy="true">
          <Skeleton height="5lh" />
        </div>
      ) : (
        <WorkspaceChoice workspaces={workspaces} chosen={chosen} onChange={setEdited} />
      )}
    </FormDialog>
  )
}
