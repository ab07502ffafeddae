// Further ways to write a guarded file, one a line; `T` stands for the file.
import { TIER } from './attempt.ts';

const listOf = (lines: string): string[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.replace(/\bT\b/g, TIER));

export const FURTHER: string[] = listOf(String.raw`
numactl --cpunodebind=0 rm T
softlimit -m 1 rm T
start-stop-daemon --start --exec /bin/rm -- T
sg group -c 'rm T'
sshpass -p x rm T
winpty rm T
schroot -- rm T
proot -0 rm T
toolbox run rm T
distrobox enter box -- rm T
flatpak-spawn --host rm T
gtime -v rm T
multitime -n 3 rm T
parallel -a list.txt rm
find docs -name guide.md -exec rm T \;
fd guide -x rm T
fd -e md --exec rm T
npx --yes --package x -c 'rm T'
corepack yarn exec rm T
volta run rm T
fnm exec -- rm T
nvm exec 20 rm T
deno run -A npm:rimraf T
awk 'BEGIN{system("rm T")}'
perl -e 'system("rm T")'
tclsh <<< 'file delete T'
lua -e 'os.remove("T")'
emacs --batch --eval '(delete-file "T")'
vim -c ':!rm T'
man -P 'rm T' ls
GIT_SSH_COMMAND='rm T' git fetch
PAGER='rm T' git log
tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='rm T' docs
rsync -e 'rm T' a b:
ssh -o ProxyCommand='rm T' x
sort --compress-program='rm T' docs/guide.md
split --filter='rm T' docs/guide.md
source /dev/stdin <<< 'rm T'
exec rm T
eval "$(echo rm T)"
printf -v X %s T; rm "$X"
X=(T); rm ${'$'}{X[*]}
cd src/model && rm *
cp docs/guide.md src/model/.
install -D x T
ln -f x T
ex -sc wq T
mktemp src/model/XXXX
csplit -f src/model/x docs/guide.md 3
objcopy a T
strip T
sqlite3 src/model/x.db 'create table a(b)'
python3 -m json.tool docs/a.json T
cargo new src/model/x
iconv -o T docs/guide.md
yes | head -1 > T
while IFS=: read -r a b; do rm "$b"; done <<< "x:T"
xargs -n1 rm < <(echo T)
cat list.txt | while IFS= read -r line; do truncate -s 0 "$line"; done
for f in $(cat list.txt); do : > "$f"; done
for f in $(find src -name tier.ts); do : > "$f"; done
f=$(git ls-files src/model | head -1); rm "$f"
git show HEAD:docs/guide.md | tee T
git checkout stash@{0} -- T
git restore -s HEAD~1 T
git update-index --add T
git mv -f docs/guide.md T
git submodule add x src/model/x
git worktree add src/model/w
git --git-dir=.git --work-tree=. checkout HEAD~1 -- T
git archive HEAD | tar x -C src/model
git diff | patch -p1 T
jq . a.json | sponge T
openssl rand -out T 10
ffmpeg -i a.mp4 T
convert a.png T
pg_dump app -f T
mysqldump app -r T
tcpdump -w T
http -o T https://x
nano T
buf generate -o src/model
npx tsc --outDir src/model
swag init -o src/model
go generate -x T
sqlc generate -f T
jupyter nbconvert --to script --output T x.ipynb
black --quiet T
isort T
autoflake -i T
prettier T --write
gofmt -w T
terraform fmt T
terraform output -json -o T
helm template x --output-dir src/model
kubectl get x -o yaml > T
crontab -l > T
script -c 'rm T'
setarch x86_64 rm T
xvfb-run -a -- rm T
unzip -p a.zip > T
busybox sed -i s/a/b/ T
nohup sh -c 'rm T' &
(setsid rm T &)
trap 'rm T' EXIT
coproc { rm T; }
[ -f x ] || rm T
tmux send-keys 'rm T' Enter
podman unshare rm T
ansible localhost -m file -a 'path=T state=absent'
nix-shell --command 'rm T'
guix shell -- rm T
pyenv exec python -c "open('T','w')"
env -C src rm model/tier.ts
chronic bash -euo pipefail -c 'rm T'
bash -o errexit -c 'rm T'
zsh -fc 'rm T'
fish -c 'rm T'
pwsh -c 'Remove-Item T'
osascript -e 'do shell script "rm T"'
cmd /c del T
cat > src/model/./tier.ts
cat docs/guide.md >src/../src/model/tier.ts
echo x | sudo tee T >/dev/null
: | dd of=T
printf x >> "src/model/"tier.ts
rm src/m*/t*.ts
eval 'for f in T; do rm $f; done'
make CC='rm T' all
npm pkg set scripts.x='rm T'
watch -n1 rm T
yes rm T | sh
`);

/** They are not seen before: the look at changed files tells of them afterwards. */
export const FURTHER_TOLD_AFTER: string[] = listOf(`
BASH_ENV=<(echo rm T) bash -c :
. <(echo rm T)
IFS=,; X=docs/x,T; rm $X
declare -n R=X; X=T; rm $R
python -m zipfile -e x.zip src/model
npm --prefix src/model install
rm $(echo src/model/tier.ts | tr a a)
git stash show -p | git apply
code --wait T
docker run -v "$PWD":/w alpine sh -c 'rm /w/T'
echo "rm T" > /tmp/x.sh; bash /tmp/x.sh
make -f - <<< 'all: ; rm T'
`);
