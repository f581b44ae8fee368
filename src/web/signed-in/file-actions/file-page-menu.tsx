import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { account, fileOffers } from '../../base/api/account.ts'
import type { FileRecord } from '../../base/api/metadata-reader.ts'
import { getLive } from '../library/live.ts'
import { useSession } from '../session/session.ts'
import { fileActions } from './file-actions.tsx'
import { FileMenu } from './file-menu.tsx'
import { useActs } from './use-acts.tsx'

type Props = { record: FileRecord; open: boolean; anchor: HTMLElement; onClose: () => void }

/** A file's menu on its own page, which is left when the file is deleted. */
export function FilePageMenu(props: Props) {
  const session = useSession()
  const { library } = getLive(session)
  const offers = fileOffers(useQuery(account.overview(session)).data)
  const navigate = useNavigate()
  const { act, dialog } = useActs(library, offers, () => void navigate(`/${session.environment}/files`))
  return (
    <>
      <FileMenu {...props} {...{ library, offers }} onAct={(name, records) => act(fileActions[name], records)} />
      {dialog}
    </>
  )
}
