/** A file of a model, with the only accepted content. */
export type PinnedFile = { name: string; url: string; bytes: number; sha256: string }
export type ModelId = 'parakeet-110m' | 'parakeet-0.6b' | 'silero-vad' | 'titanet-small'
export type PinnedModel = {
  id: ModelId
  /** its purpose */
  about: string
  license: string
  files: readonly PinnedFile[]
}

/** Files by name, size and hash, below a folder's URL. */
function filesAt(folder: string, files: readonly [name: string, bytes: number, sha256: string][]): PinnedFile[] {
  return files.map(([name, bytes, sha256]) => ({ name, url: `${folder}/${name}`, bytes, sha256 }))
}

/*
 * Sizes and hashes as pinned by several unrelated public repositories. NOT yet verified online: nothing here has been
 * downloaded by us. A person with internet must fetch each once (`npm run parley -- model fetch NAME`) and check the
 * licenses before these ship. A wrong pin is harmless: mismatching content is never used.
 */
export const pinnedModels: readonly PinnedModel[] = [
  {
    id: 'parakeet-110m',
    about: 'English speech, the default: Parakeet TDT-CTC 110M, int8',
    license: 'CC-BY-4.0 (NVIDIA parakeet-tdt_ctc-110m, int8 export by k2-fsa)',
    files: filesAt(
      'https://huggingface.co/punitd/sherpa-onnx-nemo-parakeet_tdt_transducer_110m-en-36000-int8/resolve/66a4fa70643dc7ce25c9b38b2f87e1b35ddad33d',
      [
        ['encoder.int8.onnx', 131_113_202, '0f35509ddeb9b39002fb077d979a9fe74f06eb0bc4dd5c34f512f82e5111d657'],
        ['decoder.int8.onnx', 3_955_863, 'f7c331c5504c2e593c76ed22b728e3f554af6c4a383dde862e719ced08b1da19'],
        ['joiner.int8.onnx', 1_411_403, 'bf7dff69e9f2cdbe9943d70da358f38b361c115ba0105bae7e908e0d6ec782f6'],
        ['tokens.txt', 9_953, '450e56bd2f036fe5b6aa821865838cc5aa9d8b0106134ce9a9ba0664abe6cd10'],
      ],
    ),
  },
  {
    id: 'parakeet-0.6b',
    about: 'English speech, more accurate and slower: Parakeet TDT 0.6B v2, int8',
    license: 'CC-BY-4.0',
    files: filesAt(
      'https://huggingface.co/csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8/resolve/1ab9323565ddb038682214b292f588070a538ce2',
      [
        ['encoder.int8.onnx', 652_184_296, 'a32b12d17bbbc309d0686fbbcc2987b5e9b8333a7da83fa6b089f0a2acd651ab'],
        ['decoder.int8.onnx', 7_257_753, 'b6bb64963457237b900e496ee9994b59294526439fbcc1fecf705b31a15c6b4e'],
        ['joiner.int8.onnx', 1_739_080, '7946164367946e7f9f29a122407c3252b680dbae9a51343eb2488d057c3c43d2'],
        ['tokens.txt', 9_384, 'ec182b70dd42113aff6c5372c75cac58c952443eb22322f57bbd7f53977d497d'],
      ],
    ),
  },
  {
    id: 'silero-vad',
    about: 'where somebody speaks: Silero VAD',
    license: 'MIT',
    files: filesAt('https://github.com/k2-fsa/sherpa-onnx/releases/download/asr-models', [
      ['silero_vad.onnx', 643_854, '9e2449e1087496d8d4caba907f23e0bd3f78d91fa552479bb9c23ac09cbb1fd6'],
    ]),
  },
  {
    id: 'titanet-small',
    about: 'who speaks: TitaNet small',
    license: 'stated as CC-BY-4.0 by most, as Apache-2.0 (NeMo) by one: check the model card',
    files: filesAt('https://github.com/k2-fsa/sherpa-onnx/releases/download/speaker-recongition-models', [
      ['nemo_en_titanet_small.onnx', 40_257_283, 'ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e'],
    ]),
  },
]

/** Total size of a model's files in bytes. */
export function modelBytes(model: PinnedModel): number {
  return model.files.reduce((sum, { bytes }) => sum + bytes, 0)
}
