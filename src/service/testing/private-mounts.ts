import { spawnSync } from 'node:child_process'

/** Whether unprivileged users can mount a disk here that only their process sees. */
export const hasPrivateMounts = spawnSync('unshare', ['-rm', 'true']).status === 0
