FROM python:3.13-slim
# Rules are compiled for the processors that this names (with generic on other machines than x86-64), so that a server
# does not compile them when it starts. x86-64-v3: all from 2015 on.
ARG CPU=x86-64-v3
ENV NUMBA_CPU_NAME=$CPU NUMBA_CPU_FEATURES="" TEFUDA_CACHE_DIR=/opt/tefuda
RUN useradd --create-home --uid 1000 tefuda && install --directory --owner tefuda /opt/tefuda
WORKDIR /app
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY src src
COPY tools/metadata.py tools/metadata.py
RUN pip install --no-cache-dir --constraint constraints.txt '.[postgres,metrics,passkeys,push]'
USER 1000
RUN tefuda admin compile
# Without --db, the tables.
VOLUME /home/tefuda
EXPOSE 8000 9100
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=3)"]
ENTRYPOINT ["tefuda", "serve", "--host", "0.0.0.0", "--no-browser"]
