"""wheel.py SOURCE FOLDER: makes the wheel as pip does, and imports the package from it."""
import os
import subprocess
import sys

source, folder = sys.argv[1:]
sys.path.insert(0, os.path.join(source, "python"))
import make_wheel  # noqa: E402

wheel = os.path.join(folder, make_wheel.build_wheel(folder))
print(os.path.basename(wheel), flush=True)
if subprocess.run([sys.executable, "-c", "import pip"], stderr=subprocess.DEVNULL).returncode == 0:
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--disable-pip-version-check", "--target",
                    os.path.join(folder, "site"), os.path.join(source, "python")], check=True)
    wheel = os.path.join(folder, "site")
subprocess.run([sys.executable, "-c", "import gpuprof; print(gpuprof.__file__)"], env={**os.environ, "PYTHONPATH": wheel}, check=True)
